function solution(field) {
  return field.flat().join('');
}
