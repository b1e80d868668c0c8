/** What the keys of a CI file are, in words: for the editor's completion and help, and for the handbook. A test compares them with the reader. */

/** One key. Texts have code between backticks. */
export interface KeyWords {
  /** What it does, in a sentence or two. */
  readonly says: string
  /** A value that the reader takes, as YAML that stands after the key. */
  readonly example: string
  /** The values that it takes, where there are only these. */
  readonly values?: readonly string[]
  /** It also takes a list of them. */
  readonly listed?: true
  /** The keys below it, where its value is (or may be) a map, or a list of them. */
  readonly keys?: Keys
  /** The key that it is written beside. */
  readonly beside?: string
  /** Read and without effect (`ignored`), or an error with a reason (`refused`). */
  readonly use?: 'ignored' | 'refused'
}

/** Keys by their names. */
export type Keys = Readonly<Record<string, KeyWords>>

/** How the `when` of artifacts and caches may be. */
export const outcomes = ['on_success', 'on_failure', 'always'] as const

/** A key whose value is a flag. */
export const yesOrNo = (says: string, example: 'true' | 'false' = 'true'): KeyWords => ({ says, example, values: ['true', 'false'] })

/** A key that is read and has no effect. */
export const ignored = (says: string, example: string): KeyWords => ({ says, example, use: 'ignored' })
