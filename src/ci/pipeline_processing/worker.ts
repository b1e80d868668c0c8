/**
 * Processes pipelines soon after their jobs have moved. A move that may unblock other jobs writes a note in its transaction
 * and announces the pipeline (jobs/transitions/write.ts). A worker process receives the announcement and processes the pipeline, with one
 * run per pipeline at a time. The notes are authoritative: missed announcements are recovered from them at subscription, and by the clock.
 */
import type { Db } from '../../platform/db/connection.ts'
import { subscribeToChannel, unsubscribeFromChannel } from '../../platform/events/announcements.ts'
import { pause } from '../../platform/events/lease.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { notifyPipelineWorker } from '../jobs/transitions/move.ts'
import { NOTED_CHANNEL } from '../jobs/transitions/write.ts'
import { processNoted } from './process.ts'

/**
 * Delay between two runs for one pipeline, in milliseconds: it batches the ends of a pipeline with many short jobs. The first end after a
 * pause is processed without delay.
 */
const REST = 25

/** A worker that processes pipelines. */
export interface PipelineWorker {
  /** Stops taking pipelines; resolves when running ones are done. */
  stop(): Promise<void>
}

/** Starts to process pipelines whose jobs move, up to the given number concurrently. */
export function startPipelineWorker(deps: Deps, concurrency: number): PipelineWorker {
  const attendance = new DebouncingWorker(deps, concurrency)
  subscribeToChannel(deps, NOTED_CHANNEL, attendance)
  return attendance
}

/** Queues every pipeline that has notes, whichever process was notified. */
export async function processNotedPipelines({ database: { db } }: Deps): Promise<void> {
  for (const id of await notedPipelines(db)) await notifyPipelineWorker(db, id)
}

const notedPipelines = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('unprocessed_jobs').select('pipeline_id').distinct().execute()
  return rows.map(({ pipeline_id }) => pipeline_id)
}

class DebouncingWorker implements PipelineWorker {
  readonly #deps: Deps
  readonly #concurrency: number
  readonly #stopping = new AbortController()
  /** Announced pipelines, in order. */
  readonly #announced = new Set<number>()
  /** Pipelines in process, or in the delay after it. */
  readonly #attended = new Map<number, Promise<void>>()
  #underWay = 0

  constructor(deps: Deps, concurrency: number) {
    this.#deps = deps
    this.#concurrency = concurrency
  }

  onNotification(message: string): void {
    this.#announced.add(Number(message))
    this.#goOn()
  }

  onSubscribed(): void {
    const { database, log } = this.#deps
    notedPipelines(database.db)
      .then(ids => {
        for (const id of ids) this.onNotification(String(id))
      })
      .catch(error => log.warn({ err: error }, 'pipelines with notes could not be looked for'))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await unsubscribeFromChannel(this.#deps.database, NOTED_CHANNEL)
    await Promise.all(this.#attended.values())
  }

  #goOn(): void {
    for (const id of this.#announced) {
      if (this.#underWay >= this.#concurrency || this.#stopping.signal.aborted) return
      if (this.#attended.has(id)) continue
      this.#announced.delete(id)
      this.#attended.set(id, this.#attend(id))
    }
  }

  async #attend(id: number): Promise<void> {
    this.#underWay++
    await this.#process(id)
    this.#underWay--
    this.#goOn()
    await pause(REST, this.#stopping.signal)
    this.#attended.delete(id)
    this.#goOn()
  }

  async #process(id: number): Promise<void> {
    const { database, log } = this.#deps
    try {
      await processNoted(this.#deps, id)
    } catch (error) {
      log.warn({ err: error, pipeline_id: id }, 'a pipeline could not be processed, it will be tried again')
      await notifyPipelineWorker(database.db, id).catch(failure => log.warn({ err: failure }, 'nor could that be asked for'))
    }
  }
}
