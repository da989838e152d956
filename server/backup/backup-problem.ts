/** A backup cannot be made or taken back as things stand; the words are for the operator. */
export class BackupProblem extends Error {}
