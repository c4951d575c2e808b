"""A solver of 9x9 boards in plain Python, for the scripts that check what the program made. It shares no code with it."""

import functools


@functools.cache
def rules_of(shape):
    """For each cell the cells that must hold another digit, and the houses that hold every digit."""
    at = lambda row, column: 9 * row + column
    board = [(row, column) for row in range(9) for column in range(9)]
    _, _, rules = shape.partition("+")
    regions = next((rule.split(":")[1] for rule in rules.split("+") if rule.startswith("jigsaw:")), None)
    box = lambda row, column: regions[at(row, column)] if regions else (row // 3, column // 3)
    groups = {}
    for row, column in board:
        for name in [("row", row), ("column", column), ("box", box(row, column))]:
            groups.setdefault(name, []).append(at(row, column))
        if "x" in rules.split("+"):
            for name, is_on in [("down", row == column), ("up", row + column == 8)]:
                if is_on:
                    groups.setdefault(name, []).append(at(row, column))
        if "windoku" in rules and row % 4 and column % 4:
            groups.setdefault(("window", row // 4, column // 4), []).append(at(row, column))
        if "disjoint" in rules:
            groups.setdefault(("group", row % 3, column % 3), []).append(at(row, column))
    peers = [set() for _ in range(81)]
    for cells in groups.values():
        assert len(cells) == 9
        for cell in cells:
            peers[cell].update(cells)
    moves = [(1, 2), (2, 1)] if "anti-knight" in rules else [(1, 1)] if "anti-king" in rules else []
    for row, column in board:
        for down, across in moves:
            for other in [(row + down, column + across), (row + down, column - across)]:
                if other in board:
                    peers[at(row, column)].add(at(*other))
                    peers[at(*other)].add(at(row, column))
    return [sorted(others - {cell}) for cell, others in enumerate(peers)], list(groups.values())


def place(left, rules, todo):
    """Puts digits and all singles that follow into the candidates of cells; False at a contradiction."""
    peers, houses = rules
    while todo:
        while todo:
            cell, bit = todo.pop()
            if not left[cell] & bit:
                return False
            if left[cell] < 0:
                continue
            left[cell] = bit | -512
            for other in peers[cell]:
                if left[other] & bit:
                    if left[other] < 0:
                        return False
                    left[other] ^= bit
                    if not left[other]:
                        return False
                    if not left[other] & (left[other] - 1):
                        todo.append((other, left[other]))
        for house in houses:
            once = twice = 0
            for cell in house:
                twice |= once & left[cell]
                once |= left[cell]
            if once & 511 != 511:
                return False
            only = once & ~twice & 511
            todo.extend((cell, left[cell] & only) for cell in house if left[cell] > 0 and left[cell] & only)
        if any(bit & (bit - 1) for _, bit in todo):
            return False
    return True


PLAIN = rules_of("3x3")


def solutions(values, rules=PLAIN, limit=2):
    """The solutions of a board, up to a limit. An empty cell has the value 0."""
    left = [511] * 81
    givens = [(cell, 1 << value - 1) for cell, value in enumerate(map(int, values)) if value]
    return completions(left, rules, limit) if place(left, rules, givens) else []


def completions(left, rules, limit):
    """The solutions with one of the candidates in each cell, up to a limit."""
    open_cells = [(bin(digits).count("1"), cell) for cell, digits in enumerate(left) if digits > 0]
    if not open_cells:
        return [[(digits & 511).bit_length() for digits in left]]
    _, cell = min(open_cells)
    found = []
    for digit in range(9):
        if left[cell] >> digit & 1 and len(found) < limit:
            trial = list(left)
            if place(trial, rules, [(cell, 1 << digit)]):
                found += completions(trial, rules, limit - len(found))
    return found
