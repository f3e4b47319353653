def solution(board):
    return len(board), board
