# BOJ 2615
import sys


# Your solution: who has won, and the row and column of the winning stone as in the text, which count from 1; 0, 0, 0 if
# nobody has. board[row][column]: 0 empty, 1 black, 2 white.
def solution(board):
    return 0, 0, 0


# The rest reads the input and prints the answer.
def main():
    numbers = list(map(int, sys.stdin.read().split()))
    for first in range(0, len(numbers), 19 * 19):
        colour, row, column = solution([numbers[first + 19 * r:first + 19 * (r + 1)] for r in range(19)])
        print(colour)
        if colour:
            print(row, column)


main()
