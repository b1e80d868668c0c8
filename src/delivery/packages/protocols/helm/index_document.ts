/** The index of a channel. It is written as JSON, which is YAML: writing YAML itself takes many times as long. */
import { sql } from 'kysely'
import { type JsonBounds, parseJson } from '../../../../platform/bounded_json.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { breather } from '../../../../platform/kernel/answer/time_slicing.ts'
import type { ChannelFile } from '../../queries.ts'
import { hasLongNames, MOST_KEPT, yamlOf } from './chart.ts'

/** Charts whose metadata is in memory at a time. */
const BATCH = 20

/** `2026-01-02T03:04:05.678Z`, as Helm reads it. */
export const written = (time: Date | string) => new Date(time).toISOString()

/**
 * What these charts say of themselves, by file, as JSON: one statement. Of a chart that was published before there was a limit, and says more than
 * that, it is what Helm cannot do without.
 */
async function saidBy(db: Db, files: readonly ChannelFile[]): Promise<Map<number, string>> {
  const whole = sql`package_files.metadata::text`
  const field = (name: string) => sql`package_files.metadata->${sql.lit(name)}`
  const least = sql`json_build_object('apiVersion', ${field('apiVersion')}, 'name', ${field('name')}, 'version', ${field('version')})::text`
  const rows = await db
    .selectFrom('package_files')
    .select(['id', sql<string>`case when octet_length(${whole}) <= ${sql.lit(MOST_KEPT)} then ${whole} else ${least} end`.as('said')])
    .where('id', '=', anyOf(files.map(({ id }) => id)))
    .execute()
  return new Map(rows.map(({ id, said }) => [id, said]))
}

/** What is kept was bounded when it came, and is too short to be slow: none of it keeps an index from being made. */
const bounds: JsonBounds = { depth: 100, values: MOST_KEPT, keys: MOST_KEPT }

function entryOf({ created_at, file_sha256, file_name }: ChannelFile, said: string): string {
  const chart = parseJson(said, bounds) as Readonly<Record<string, unknown>>
  const { apiVersion, name, version } = chart
  const shown = hasLongNames(chart) ? { apiVersion, name, version } : chart
  return yamlOf({ ...shown, created: written(created_at), digest: file_sha256, urls: [`charts/${file_name}`] })
}

/** What an index says besides its charts. */
interface About {
  readonly generated: string
  readonly serverInfo: { readonly contextPath: string }
}

/** The index of these files, as it is sent: charts may say much. @param db is read as the answer is sent */
export async function* indexDocument(db: Db, files: readonly ChannelFile[], { generated, serverInfo }: About): AsyncGenerator<string> {
  const pause = breather()
  const charts = [...Map.groupBy(files, ({ name }) => name).values()].flat()
  yield '{"apiVersion":"v1","entries":{'
  let last: string | undefined
  for (let from = 0; from < charts.length; from += BATCH) {
    const batch = charts.slice(from, from + BATCH)
    const said = await saidBy(db, batch)
    for (const file of batch) {
      const own = said.get(file.id)
      // It was deleted meanwhile.
      if (own === undefined) continue
      await pause()
      const before = last === file.name ? ',' : `${last === undefined ? '' : '],'}${yamlOf(file.name)}:[`
      last = file.name
      yield `${before}${entryOf(file, own)}`
    }
  }
  yield `${last === undefined ? '' : ']'}},"generated":${yamlOf(generated)},"serverInfo":${yamlOf(serverInfo)}}\n`
}
