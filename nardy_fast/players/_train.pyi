from nardy_fast.players._network import NetworkNative

def play_and_learn(
    network: NetworkNative, seed: int, number: int, games: int, rate: float, trace: float
) -> tuple[int, int, float]: ...
