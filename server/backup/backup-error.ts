/** A backup cannot be written or restored. The message is for the operator. */
export class BackupError extends Error {}
