/** What goes wrong around a server: the disk, the clock, the folders, the object store. */
import type { Part, Row } from '../part.ts'
import { clockSetBack } from './clock.ts'
import { fullDisk, readOnly } from './disk.ts'
import { disturb } from './disturbance.ts'
import { storeGone } from './store.ts'

export const surroundings: Part = {
  name: 'surroundings',
  async run(options) {
    const rows: Row[] = []
    for (const disturbance of [fullDisk, readOnly, clockSetBack, storeGone]) rows.push(...(await disturb(disturbance, options)))
    return rows
  },
}
