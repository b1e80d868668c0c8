/** A relative path as it is read at a directory, with `.` and `..` carried out; undefined where it leads above the root. Pure. */
export function pathBeside(directory: string, path: string): string | undefined {
  const segments = directory.split('/').filter(Boolean)
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.join('/')
}
