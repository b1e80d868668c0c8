/** The field of a time zone. */
import { zoneNames } from '../../ci/cron/time_zones.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'

/** The zones by the names of the IANA database, and the one that is set, which may have another name. */
export const zoneField = (zone: string, hint = ''): FieldSpec => ({
  name: 'cron_timezone',
  label: 'Time zone',
  hint,
  control: 'select',
  choices: (zoneNames.includes(zone) ? zoneNames : [zone, ...zoneNames]).map(name => [name, name] as const),
})
