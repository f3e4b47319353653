let size;
function init(...given) {
  size = given;
}
function dropBlocks(...given) {
  return ['200', ...given].join(' ');
}
function changeBlocks(...given) {
  return ['300', ...given].join(' ');
}
function getResult() {
  return ['400', ...size];
}
