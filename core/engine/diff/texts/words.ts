/** The line of a unified diff after a last line without an end. */
export const noLineEnd = '\\ No newline at end of file'
