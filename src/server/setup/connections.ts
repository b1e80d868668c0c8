/** Connections to the database that the processes of a server need. */
import type { Config } from '../../platform/config.ts'

/** Connections that are kept: the queue listens and holds its lease, presence is shown, announcements are heard, and a mailbox is read by one process. */
export const KEPT = 5

/** Connections that commands of the program have besides the server. */
const SPARE = 20

/** Connections that all processes of a server, and commands beside it, take at most. */
export const connectionsOf = ({ httpProcesses, databasePoolSize }: Config): number =>
  (httpProcesses > 1 ? httpProcesses + 1 : 1) * (databasePoolSize + KEPT) + SPARE
