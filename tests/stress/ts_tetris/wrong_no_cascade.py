# What has fallen is not looked at again: one round of runs for each turn.
import sys

input = sys.stdin.readline


class Game:
    def init(self, width, height):
        self.columns = [[] for _ in range(width)]
        self.score = [0, 0, 0]

    def cell(self, c, h):
        if 0 <= c < len(self.columns) and 0 <= h < len(self.columns[c]):
            return self.columns[c][h]
        return 0

    def length(self, c, h, dc, dh):
        n = 0
        while self.cell(c + n * dc, h + n * dh) == self.cell(c, h):
            n += 1
        return n

    def remove(self, player):
        marked = set()
        for c, column in enumerate(self.columns):
            for h in range(len(column)):
                for dc, dh in (1, 0), (0, 1), (1, 1), (1, -1):
                    n = self.length(c, h, dc, dh)
                    if n >= 5:
                        marked.update((c + i * dc, h + i * dh) for i in range(n))
        points = sum(self.cell(c, h) == player for c, h in marked)
        for c, h in sorted(marked, reverse=True):
            del self.columns[c][h]
        self.score[player] += points
        return points

    def drop(self, player, column):
        for c in range(column, column + 3):
            self.columns[c].append(player)
        return self.remove(player)

    def change(self, player, column):
        todo = [(column, 0)]
        while todo:
            c, h = todo.pop()
            if self.cell(c, h) == 3 - player:
                self.columns[c][h] = player
                todo += [(c + 1, h), (c - 1, h), (c, h + 1), (c, h - 1)]
        return self.remove(player)

    def result(self):
        one, two = self.score[1:]
        left = [sum(column.count(player) for column in self.columns) for player in (1, 2)]
        return (1 if one > two else 2 if two > one else 0), *left


game = Game()
for _ in range(int(input())):
    for _ in range(int(input())):
        kind, *arguments = map(int, input().split())
        if kind == 100:
            game.init(*arguments)
        elif kind == 200:
            print(game.drop(*arguments))
        elif kind == 300:
            print(game.change(*arguments))
        else:
            print(*game.result())
