/** Numbers for people. */

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `1536` as `1.5 KB`. */
export function bytesText(bytes: number): string {
  if (bytes === 1) return '1 byte'
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

/** Seconds as `3 d 4 h`, `5 min`, `12 s`: the two largest units. */
export function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const
  const first = parts.findIndex(([value]) => value > 0)
  const shown = parts.slice(first < 0 ? parts.length - 1 : first).slice(0, 2)
  return shown
    .filter(([value], index) => index === 0 || value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}

/** The same, and milliseconds below a second: for what usually takes no longer. */
export const shortDurationText = (seconds: number): string =>
  seconds > 0 && seconds < 1 ? `${Math.max(1, Math.round(seconds * 1_000))} ms` : durationText(seconds)

/** `1 project`, `2 projects`. */
export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
