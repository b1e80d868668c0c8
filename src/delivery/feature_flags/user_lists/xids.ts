/** Ids of users of an application, as a strategy or a list has them: separated by commas. Pure. */
import { isStorable } from '../../../platform/kernel/request/params.ts'

const LONGEST = 256

/** The message for ids that are not valid, or undefined. */
export function xidsFailure(value: unknown, name: string): string | undefined {
  const says = `${name} must be a string of unique comma separated values each ${LONGEST} characters or less`
  if (typeof value !== 'string') return says
  const ids = value.split(',')
  // A form sends them within JSON, which may name characters that no parameter has.
  const areValid = isStorable(value) && ids.every(id => id !== '' && id.trim() === id && id.length <= LONGEST)
  return areValid && new Set(ids).size === ids.length ? undefined : says
}
