# BOJ 17837
import sys


# Your solution: the turn that ends the game, or -1. board[row][column]: 0 white, 1 red, 2 blue. pieces[i]: row, column
# and direction, as in the text; rows and columns count from 1.
def solution(board, pieces):
    return 0


# The rest reads the input and prints the answer.
def main():
    numbers = map(int, sys.stdin.read().split())
    for n in numbers:
        k = next(numbers)
        board = [[next(numbers) for _ in range(n)] for _ in range(n)]
        print(solution(board, [[next(numbers) for _ in range(3)] for _ in range(k)]))


main()
