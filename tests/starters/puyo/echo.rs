fn solution(field: Vec<Vec<char>>) -> String {
    field.concat().iter().collect()
}
