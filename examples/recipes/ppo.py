"""PPO in PyTorch, with masks, on the native vector environment: an agent learns to beat a player who plays at random.

python ppo.py [RULES] [UPDATES]         # hypergammon 150: a minute
"""

import sys

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

from nardy_fast.envs.vector import NardyVectorEnv

BOARDS, STEPS, EPOCHS, PARTS = 256, 32, 3, 4
RATE, CLIP, TRACE, ENTROPY = 1e-3, 0.2, 0.95, 0.01


torch.set_num_threads(1)  # layers so small are not worth sharing


class Agent(nn.Module):
    """What each action is worth trying, and what the position is worth, from what is observed."""

    def __init__(self, seen, actions, hidden=128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

    def forward(self, seen, mask):
        """The distribution over the actions that may be played, and the values."""
        body = self.body(seen)
        logits = self.actor(body).masked_fill(~mask, -torch.inf)
        return torch.distributions.Categorical(logits=logits), self.critic(body).squeeze(-1)


def tensors(told):
    """What is observed, and the mask; checkers count in fours, so that inputs are of one size."""
    return torch.from_numpy(told["observation"] / np.float32(4)), torch.from_numpy(told["action_mask"] > 0)


@torch.no_grad()
def collect(env, agent, told):
    """STEPS actions at each board: what was seen, done and expected, and what the agent should have expected."""
    kept = []
    for _ in range(STEPS):
        seen, mask = tensors(told)
        choices, values = agent(seen, mask)
        actions = choices.sample()
        told, rewards, over, _, _ = env.step(actions.numpy())
        kept.append((seen, mask, actions, choices.log_prob(actions), values, rewards, over))
    following, advantage, advantages = agent(*tensors(told))[1], torch.zeros(BOARDS), []
    for *_, values, rewards, over in reversed(kept):
        goes_on = torch.from_numpy(~over).float()
        advantage = torch.from_numpy(rewards).float() + goes_on * (following + TRACE * advantage) - values
        following = values
        advantages.insert(0, advantage)
    seen, mask, actions, log_probs, values = (torch.cat(column) for column in list(zip(*kept, strict=True))[:5])
    gains = torch.cat(advantages)
    return (seen, mask, actions, log_probs, gains, gains + values), told


def update(agent, optimizer, batch):
    """A few passes over the batch, no action made likelier or rarer by more than CLIP."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(batch[0])).chunk(PARTS):
            seen, mask, actions, log_probs, gains, targets = (column[part] for column in batch)
            choices, values = agent(seen, mask)
            ratio = (choices.log_prob(actions) - log_probs).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-6)
            policy = -torch.minimum(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            # Where an action may not be played its logit is infinite: the entropy is summed over those that may.
            entropy = -(choices.probs * choices.logits.masked_fill(~mask, 0)).sum(-1).mean()
            loss = policy + 0.5 * nn.functional.mse_loss(values, targets) - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(rules, updates, seed=0):
    torch.manual_seed(seed)
    env = NardyVectorEnv(BOARDS, rules, opponent="random", autoreset_mode=AutoresetMode.SAME_STEP)
    spaces = env.single_observation_space["observation"].shape[0], int(env.single_action_space.n)
    agent = Agent(*spaces)
    optimizer = torch.optim.Adam(agent.parameters(), RATE)
    told, _ = env.reset(seed=seed)
    for _ in range(updates):
        batch, told = collect(env, agent, told)
        update(agent, optimizer, batch)
    return agent


@torch.no_grad()
def measure(agent, rules, games=2000, seed=1):
    """Points a game against random play, the likeliest action each time, and their standard error."""
    env = NardyVectorEnv(games, rules, opponent="random", autoreset_mode=AutoresetMode.SAME_STEP)
    told, _ = env.reset(seed=seed)
    points, left = np.zeros(games), np.ones(games, np.bool_)
    while left.any():
        told, rewards, over, _, _ = env.step(agent(*tensors(told))[0].logits.argmax(-1).numpy())
        points[left & over] = rewards[left & over]
        left &= ~over
    return points.mean(), points.std() / games**0.5


def main(rules="hypergammon", updates="150"):
    points, error = measure(train(rules, int(updates)), rules)
    print(f"{points:+.3f} +- {error:.3f} points a game: {points / error:.0f} standard errors")
    return points, error


if __name__ == "__main__":
    main(*sys.argv[1:])
