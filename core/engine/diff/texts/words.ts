/** The line of a unified diff after a last line that has no line end. */
export const noLineEnd = '\\ No newline at end of file'
