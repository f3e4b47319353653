fn solution(board: Vec<Vec<i32>>, pieces: Vec<Vec<i32>>) -> String {
    format!("{} {} {:?} {:?}", board.len(), pieces.len(), board, pieces)
}
