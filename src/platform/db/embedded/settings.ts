/**
 * The embedded server's settings, given on its command line at every start, so that a new Ingot changes them without touching the cluster.
 * Sized for a small machine: Ingot and an idle database together stay under 250 MB.
 */
import { totalmem } from 'node:os'

/** Environment of every database process: nothing of Ingot's own, which holds secrets. */
export const plainEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const MEGABYTE = 2 ** 20

/**
 * Megabytes for what was read from the tables: an eighth of the machine's memory, within bounds. It is only taken when there
 * is something to keep; lists among a million issues read some hundreds.
 */
const cache = Math.min(512, Math.max(64, Math.floor(totalmem() / 8 / MEGABYTE)))

const common = {
  // Reached by Ingot alone, through a socket in a directory that only its user may enter.
  listen_addresses: '',
  unix_socket_permissions: '0700',

  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',

  // Many small statements gain nothing from helpers and compilation, and each helper process costs memory.
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum: 'on',
  autovacuum_max_workers: '2',
  autovacuum_worker_slots: '2',

  // No standby reads this log: the smallest one that survives a crash.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '512MB',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // `log` ranks above `error`: failed statements reach the client that sent them, the server's own life goes to our log.
  log_min_messages: 'log',
}

const durable = { shared_buffers: `${cache}MB`, max_connections: '60', fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
// All processes of a test run share one server.
const ephemeral = { shared_buffers: '64MB', max_connections: '300', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * The settings as command line arguments of `postgres`.
 * @param isEphemeral the data are not kept (tests, `start --ephemeral`): nothing waits for the disk
 * @param connections that it takes at least
 */
export function settingsArguments(isEphemeral: boolean, connections = 0): string[] {
  const kind = isEphemeral ? ephemeral : durable
  const settings = { ...common, ...kind, max_connections: String(Math.max(connections, Number(kind.max_connections))) }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
