/** The check of an end that is given for a new credential against the longest life of its kind. */
import { invalid } from '../kernel/errors.ts'

const DAY = 24 * 60 * 60 * 1000

/**
 * @param days the longest life; null for none
 * @param end as a day or an instant; null for none, which is the end of the longest life then
 * @throws Refusal 400 for an end beyond it
 */
export function requireWithin(days: number | null, end: string | null, now: Date): void {
  if (days === null || end === null) return
  const last = new Date(now.getTime() + days * DAY)
  if (Date.parse(end) > last.getTime()) throw invalid({ expires_at: [`must not be after ${last.toISOString().slice(0, 10)}`] })
}
