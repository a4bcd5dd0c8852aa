/** What the system says about a file, by its name of the error, where a person can put it right. */
export const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder where a file is needed',
  ENOTDIR: 'there is a file where a folder is needed',
}
