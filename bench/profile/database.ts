/**
 * Where the database spends its time on a request: the plans of its statements as they ran (`auto_explain`), as a flame graph of their nodes.
 */
import type { PoolClient } from 'pg'
import { buildApp } from '../../src/server/app.ts'
import type { Bench } from '../bench.ts'
import type { Prepared } from '../requests.ts'
import { childOf, type Frame, frame } from './flame.ts'

/** Requests before any counts: the server plans a prepared statement several times before it keeps a plan. */
const BEFORE = 8
const COUNTED = 20

/** A node of a plan that ran. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Subplan Name'?: string
  /** Milliseconds of one loop, its children's included. */
  readonly 'Actual Total Time'?: number
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly PlanNode[]
}

interface Explained {
  readonly 'Query Text': string
  readonly Plan: PlanNode
}

const settings = `load 'auto_explain';
  set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_timing = on;
  set auto_explain.log_format = json; set auto_explain.log_level = notice; set client_min_messages = notice`

/** The nodes of the plans of a GET, in milliseconds a request. */
export async function databaseFrames({ deps }: Pick<Bench, 'deps'>, { address, headers }: Prepared): Promise<Frame> {
  const app = await buildApp(deps)
  const { pool } = deps.database
  const notices: string[] = []
  const known = new Set<PoolClient>()
  const watch = (client: PoolClient) => {
    if (known.has(client)) return
    known.add(client)
    client.query(settings).catch(() => {})
    client.on('notice', ({ message }) => {
      if (message !== undefined) notices.push(message)
    })
  }
  pool.on('acquire', watch)
  const ask = async () => await app.inject({ url: address, headers })
  try {
    for (let count = 0; count < BEFORE; count++) await ask()
    notices.length = 0
    for (let count = 0; count < COUNTED; count++) await ask()
  } finally {
    pool.off('acquire', watch)
    await app.close()
    for (const client of known) {
      client.removeAllListeners('notice')
      await client.query('set auto_explain.log_min_duration = -1')
    }
  }
  const all = frame('all statements')
  for (const message of notices) {
    const at = message.indexOf('{')
    if (!message.includes('plan:') || at < 0) continue
    const { 'Query Text': query, Plan: plan } = JSON.parse(message.slice(at)) as Explained
    addNode(plan, childOf(all, query.replace(/\s+/g, ' ').trim()))
  }
  if (all.children.size === 0) throw new Error('the database sent no plan')
  return all
}

function addNode(node: PlanNode, parent: Frame): void {
  const place = node['Index Name'] ?? node['Relation Name']
  const box = childOf(parent, [node['Subplan Name'], node['Node Type'], place && `on ${place}`].filter(Boolean).join(' '))
  const children = node.Plans ?? []
  const time = (one: PlanNode) => ((one['Actual Total Time'] ?? 0) * (one['Actual Loops'] ?? 1)) / COUNTED
  box.self += Math.max(0, time(node) - children.reduce((sum, child) => sum + time(child), 0))
  for (const child of children) addNode(child, box)
}
