/** What published clients of 14.0, and those of today, call and Ingot does not serve, for docs/compatibility.md. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callsIn, unserved } from '../../../src/server/cli/routes.ts'
import { endpoints } from '../../../src/server/endpoints.ts'
import { type Area, areas } from './areas.ts'

/** The clients, by their files in this folder. */
const clients = [
  ['go-gitlab 0.50.0', 'go-gitlab.txt'],
  ['python-gitlab 2.10.0', 'python-gitlab.txt'],
  ['gitbeaker 30.5.0', 'gitbeaker.txt'],
  ['go-gitlab 0.115.0', 'go-gitlab-0.115.txt'],
  ['python-gitlab 8.4.0', 'python-gitlab-8.txt'],
  ['gitbeaker 43.8.0', 'gitbeaker-43.txt'],
] as const

export interface Compatibility {
  readonly clients: readonly { readonly name: string; readonly calls: number; readonly served: number }[]
  /** The calls of each area that are not served, in order. */
  readonly missing: ReadonlyMap<Area, readonly string[]>
  /** Calls that are not served and belong to no area. */
  readonly unexplained: readonly string[]
}

/** Compares the calls of every client with what is served on the highest tier. */
export async function compare(): Promise<Compatibility> {
  const missing = new Map<string, Area | undefined>()
  const counts = []
  for (const [name, file] of clients) {
    const calls = callsIn(await readFile(join(import.meta.dirname, file), 'utf8'))
    const left = unserved(calls, endpoints, 'ultimate').map(({ method, path }) => `${method} ${path}`)
    counts.push({ name, calls: calls.length, served: calls.length - left.length })
    for (const call of left)
      missing.set(
        call,
        areas.find(({ has }) => has.test(call)),
      )
  }
  const byPath = (one: string, other: string) => (one.split(' ').reverse().join(' ') < other.split(' ').reverse().join(' ') ? -1 : 1)
  const explained = areas.map(
    area =>
      [
        area,
        [...missing]
          .filter(([, of]) => of === area)
          .map(([call]) => call)
          .sort(byPath),
      ] as const,
  )
  return {
    clients: counts,
    missing: new Map(explained),
    unexplained: [...missing].filter(([, area]) => area === undefined).map(([call]) => call),
  }
}

/** The part of docs/compatibility.md that is made from it. */
export function compatibilityTable({ clients: counted, missing }: Compatibility): string {
  const rows = counted.map(({ name, calls, served }) => `| ${name} | ${calls} | ${served} | ${calls - served} |\n`)
  const chapters = [...missing]
    .filter(([, calls]) => calls.length > 0)
    .map(([{ title, reason }, calls]) => `\n### ${title}\n\n${reason}\n\n${calls.map(call => `- \`${call}\`\n`).join('')}`)
  return `| Client | Calls | Served | Not served |\n| --- | ---: | ---: | ---: |\n${rows.join('')}${chapters.join('')}`
}
