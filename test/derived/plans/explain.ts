/** Plans of the statements of a request, as text that changes only when the way to the rows does. */
import type pg from 'pg'
import { recordQueries } from '../../../src/platform/db/statements/statements.ts'

/** How PostgreSQL would run a statement. */
export interface Plan {
  readonly statement: string
  /** Nodes with their indexes and tables, a line each, indented; without costs and conditions. */
  readonly shape: string
}

/** Lines that tell of a node rather than name one: `  Filter: (id = 1)`. */
const detail = /^\s*[A-Z][\w ]*: /

/** The plans of all that `work` reads. */
export async function plansOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<Plan[]> {
  const { queries } = await recordQueries(work)
  const plans: Plan[] = []
  for (const { sql, parameters } of queries.filter(query => /^(select|with) /i.test(query.sql.trim()))) {
    const { rows } = await pool.query({ text: `explain (costs off) ${sql}`, values: [...parameters] })
    const lines = rows.map(row => String(row['QUERY PLAN'])).filter(line => !detail.test(line))
    plans.push({ statement: sql, shape: lines.map(shortened).join('\n') })
  }
  return plans
}

/** A line without what numbers the database gave to names that come again: `projects_3`, `SubPlan 7`; two columns for each step inwards. */
const shortened = (line: string): string =>
  line
    .replace(/^ *(?:-> {2})?/, margin => '  '.repeat(Math.ceil(margin.length / 6)))
    .replace(/(SubPlan|InitPlan|CTE) \d+$/, '$1')
    .replace(/_\d+"?$/, '')

/** The tables that a plan reads from end to end. */
export const tablesRead = ({ shape }: Plan): string[] => [...shape.matchAll(/Seq Scan on (\w+)/g)].map(match => match[1] as string)
