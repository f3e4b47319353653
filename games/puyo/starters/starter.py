# BOJ 11559
import sys


# Your solution: the number of chains. field[row][column], the top row first: ".", "R", "G", "B", "P" or "Y".
def solution(field):
    return 0


# The rest reads the input and prints the answer.
def main():
    rows = sys.stdin.read().split()
    for first in range(0, len(rows), 12):
        print(solution([list(row) for row in rows[first:first + 12]]))


main()
