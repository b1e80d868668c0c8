/** The keywords of the filter `due_date` (document 3 "Issue list filters"; decision 37). */

export const dueDateWords = ['0', 'overdue', 'week', 'month', 'next_month_and_previous_two_weeks'] as const
export type DueDateWord = (typeof dueDateWords)[number]

/** The range of days of a keyword, inclusive; `undefined` for an open end. */
export interface Days {
  readonly from: string | undefined
  readonly to: string | undefined
}

/**
 * The range of a keyword other than `0`, which means "no due date". Days are those of the server's time zone and weeks begin on
 * Monday (decision 37).
 */
export function daysOf(word: Exclude<DueDateWord, '0'>, now: Date): Days {
  const day = (month: number, date: number): string => {
    const at = new Date(now.getFullYear(), now.getMonth() + month, date)
    return [at.getFullYear().toString().padStart(4, '0'), pad(at.getMonth() + 1), pad(at.getDate())].join('-')
  }
  const today = now.getDate()
  switch (word) {
    case 'overdue':
      return { from: undefined, to: day(0, today - 1) }
    case 'week': {
      const monday = today - ((now.getDay() + 6) % 7)
      return { from: day(0, monday), to: day(0, monday + 6) }
    }
    case 'month':
      return { from: day(0, 1), to: day(1, 0) }
    case 'next_month_and_previous_two_weeks':
      return { from: day(0, today - 14), to: day(2, 0) }
  }
}

const pad = (number: number): string => String(number).padStart(2, '0')
