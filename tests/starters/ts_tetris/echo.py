def init(*given):
    global size
    size = given


def dropBlocks(*given):
    return 200, *given


def changeBlocks(*given):
    return 300, *given


def getResult():
    return 400, *size
