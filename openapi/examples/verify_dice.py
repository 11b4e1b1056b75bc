#!/usr/bin/env python3
"""Draws every throw of a finished game again, from the answer of GET /v1/games/{id}/dice.

    curl -s http://127.0.0.1:8080/v1/games/ID/dice | python3 verify_dice.py [SEED_HASH_NOTED_AT_THE_START]

Needs nothing but Python 3.10, and shares no code with the service. Exit code 0: the dice are proven; 1: they are not.
"""

import hashlib
import hmac
import itertools
import json
import struct
import sys


def chacha20(key, nonce):
    """Yields the 32-bit words of ChaCha20 in Bernstein's version, with 64 bits each for block counter and nonce."""
    constants = struct.unpack("<4I", b"expand 32-byte k")
    key = struct.unpack("<8I", key)
    rounds = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]

    def mix(state, a, b, c, d, by):
        state[a] = (state[a] + state[b]) & 0xFFFFFFFF
        turned = state[d] ^ state[a]
        state[d] = (turned << by | turned >> (32 - by)) & 0xFFFFFFFF

    for block in itertools.count():
        start = [*constants, *key, *struct.unpack("<4I", struct.pack("<QQ", block, nonce))]
        state = start[:]
        for a, b, c, d in rounds * 10:
            mix(state, a, b, c, d, 16)
            mix(state, c, d, a, b, 12)
            mix(state, a, b, c, d, 8)
            mix(state, c, d, a, b, 7)
        yield from ((mixed + first) & 0xFFFFFFFF for mixed, first in zip(state, start))


def below(words, k):
    limit = 2**32 - 1 - (2**32 - 1) % k
    return next(word % k for word in words if word < limit)


def throw(words, dice):
    """Draws a throw. Returns its text and its sum."""
    if dice["kind"] == "faces":
        faces = [dice["faces"][below(words, len(dice["faces"]))] for _ in range(dice["count"])]
        return "+".join(map(str, faces)), sum(faces)
    up = sum(below(words, 2) for _ in range(dice["count"]))
    return f"{dice['values'][up]}({up})", dice["values"][up]


def first(words, proof):
    """Returns the seat that begins the game."""
    left = proof["players"]
    if proof["begins"] == "seat":
        return proof["first"]
    if proof["begins"] == "random":
        return left[below(words, len(left))]
    # Seats with the highest sum throw again. After a thousand ties, the first of these seats begins.
    for _ in range(1000):
        if len(left) == 1:
            break
        sums = [throw(words, proof["dice"])[1] for _ in left]
        left = [seat for seat, reached in zip(left, sums) if reached == max(sums)]
    return left[0]


def main():
    proof = json.load(sys.stdin)
    if "seed" not in proof:
        raise SystemExit("the seed is published when the game is over")
    seed = proof["seed"].encode()
    found = hashlib.sha256(seed).hexdigest()
    for committed in [proof["seed_hash"], *sys.argv[1:]]:
        if committed != found:
            raise SystemExit(f"the hash of the seed is {found}, not {committed}")
    added = proof["contributions"]
    lines = "".join(f"{seat}={added[seat]}\n" for seat in proof["players"] if seat in added)
    key = hmac.digest(seed, lines.encode(), "sha256")
    if (begins := first(chacha20(key, 0), proof)) != proof["first"]:
        raise SystemExit(f"{proof['first']} began, but by the seed {begins} begins")
    for number, thrown in enumerate(proof["throws"], 1):
        drawn, _ = throw(chacha20(key, number), proof["dice"])
        if drawn != thrown:
            raise SystemExit(f"throw {number} was {thrown}, but the seed gives {drawn}")
    print(f"{len(proof['throws'])} throws fell as the seed {found} and {len(added)} contributions say")


if __name__ == "__main__":
    main()
