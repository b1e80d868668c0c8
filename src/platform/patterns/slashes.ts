/** Slashes at the ends of paths. As patterns (`/\/+$/`) these take as many steps as the square of a path's length. */

/** The path without the slashes at its end. */
export function withoutEndingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** The path without the slashes at both ends. */
export const withoutSlashes = (path: string): string => withoutEndingSlashes(path).replace(/^\/+/, '')
