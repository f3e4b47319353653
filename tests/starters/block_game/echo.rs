fn solution(board: Vec<Vec<i32>>) -> String {
    format!("{} {:?}", board.len(), board)
}
