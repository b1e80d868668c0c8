/** What `ingot doctor` and `ingot check` find: one line for each check. */

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string
  readonly outcome: 'ok' | 'warning' | 'wrong' | 'mended'
  /** What there is. */
  readonly says: string
  /** What to do about it. */
  readonly remedy?: string
}

/** A finding without the name of its check. */
export type Found = Omit<Finding, 'check'>

export const ok = (says: string): Found => ({ outcome: 'ok', says })
export const warning = (says: string, remedy: string): Found => ({ outcome: 'warning', says, remedy })
export const wrong = (says: string, remedy: string): Found => ({ outcome: 'wrong', says, remedy })

/**
 * Runs a check. What it throws is wrong, in the words of the innermost error that has some.
 * @param remedy what to do where it throws
 */
export async function looked(check: string, remedy: string, look: () => Promise<Found> | Found): Promise<Finding> {
  try {
    return { check, ...(await look()) }
  } catch (error) {
    return { check, ...wrong(reasonOf(error), remedy) }
  }
}

/** The message of the innermost cause, on one line. */
export function reasonOf(error: unknown): string {
  const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] }
  // One that stands for several attempts has no message of its own.
  const inner = cause instanceof Error ? cause : errors?.[0]
  if (inner instanceof Error) return reasonOf(inner)
  const { message, code, responseText } = error as { message?: string; code?: string; responseText?: string }
  return (responseText || message || code || String(error)).replaceAll(/\s*\n\s*/g, ' ')
}

/** One line for a finding, and one below it with what to do. `width` is that of the longest name. */
export const lineOf = ({ check, outcome, says, remedy }: Finding, width: number): string =>
  `${outcome.padEnd(8)} ${check.padEnd(width)}  ${says}\n${remedy === undefined ? '' : `${' '.repeat(9 + width)}  → ${remedy}\n`}`
