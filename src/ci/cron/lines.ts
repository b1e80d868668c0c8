/** Cron lines: minute, hour, day, month and day of the week, each with `*`, lists, ranges and steps. Pure. */
import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import { zoneOf } from './time_zones.ts'

/** A cron line and its time zone, by any of the zone's names. */
export interface CronLine {
  readonly line: string
  readonly timezone: string
}

const parse = (line: string, timezone: string): Cron => new Cron(line, { mode: '5-part', timezone, paused: true })

/** Is this a cron line? */
export function isCronLine(line: string): boolean {
  try {
    parse(line, 'UTC')
    return true
  } catch {
    return false
  }
}

/**
 * What was found for a line: its next time, for all instants from `from` on until then. A line that never comes (the 30th of February) takes ten
 * milliseconds, in which the server does nothing else, and pages and pipelines ask for all freezes of a project.
 */
const found = new Map<string, { readonly from: number; readonly next: number | undefined }>()

/** Lines that are remembered. */
const REMEMBERED = 10_000

/** The first time after `after` that a line matches; undefined if there is none. @throws Error for an invalid line or zone */
export function nextRun({ line, timezone }: CronLine, after: Date): Date | undefined {
  const zone = zoneOf(timezone)
  if (zone === undefined) throw new Error(`no time zone has the name ${timezone}`)
  const key = `${zone} ${line}`
  const known = found.get(key)
  const at = after.getTime()
  if (known && known.from <= at && (known.next === undefined || at < known.next))
    return known.next === undefined ? undefined : new Date(known.next)
  const next = parse(line, zone).nextRun(after) ?? undefined
  found.delete(key)
  found.set(key, { from: at, next: next?.getTime() })
  const [oldest] = found.keys()
  if (found.size > REMEMBERED && oldest !== undefined) found.delete(oldest)
  return next
}

/** Lines that have a name of their own. */
const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** A cron line as people say it: "At 04:00, only on Sunday"; the line itself where it has no words. */
export function cronWords(line: string): string {
  const trimmed = line.trim()
  try {
    return cronstrue.toString(nicknames[trimmed.toLowerCase()] ?? trimmed, { use24HourTimeFormat: true, throwExceptionOnParseError: true })
  } catch {
    return line
  }
}
