// The entry point #text-parts: only the transport to files uses it, and no Lambda function sends to files.

export { editText } from './edit.ts'
