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

/** The first time after `after` that a line matches; undefined if there is none. @throws Error for an invalid line or zone */
export function nextRun({ line, timezone }: CronLine, after: Date): Date | undefined {
  const zone = zoneOf(timezone)
  if (zone === undefined) throw new Error(`no time zone has the name ${timezone}`)
  return parse(line, zone).nextRun(after) ?? undefined
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
