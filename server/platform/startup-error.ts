/** An error that the operator can fix: its message says what is wrong and what to do, without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError'
}

export const diskFullError = (folder: string) =>
  new StartupError(
    `The disk that holds ${folder} is full. Free some space, or set DATA_DIR to a folder on a larger disk.`,
  )

/** Explains file system errors; returns any other error unchanged. */
export const explainFileError = (error: unknown, folder: string): unknown => {
  const { code, syscall } = error as NodeJS.ErrnoException
  // Node reports ENOENT where a folder and its parents cannot be created on a read-only disk.
  switch (code === 'ENOENT' && syscall === 'mkdir' ? 'EROFS' : code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFullError(folder)
    case 'EACCES':
    case 'EPERM':
      return new StartupError(
        `The data folder ${folder} cannot be read and written by this user. Give it to this user with chown, or set DATA_DIR to another folder.`,
      )
    case 'EROFS':
      return new StartupError(
        `The data folder ${folder} is on a read-only disk. Set DATA_DIR to a folder that can be written.`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartupError(
        `The data folder ${folder} is not a folder. Move that file away, or set DATA_DIR to another folder.`,
      )
    default:
      return error
  }
}
