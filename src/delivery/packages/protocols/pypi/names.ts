/** A name as Python compares it: case does not count, and runs of `-`, `_` and `.` are one `-` (PEP 503). */
export const normalizedName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')
