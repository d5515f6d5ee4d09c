"""The command ``nardy-fast``: one module for each subcommand."""
