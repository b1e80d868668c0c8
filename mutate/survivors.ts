/** Mutants that no test can notice, or that none has to: each with the reason. */

export interface Accepted {
  readonly file: string
  /** The line of the source, without the blanks around it. */
  readonly line: string
  /** As the report names the change; without it every change on the line. */
  readonly change?: string
  readonly reason: string
}

export const accepted: readonly Accepted[] = []
