/** The status of a pipeline or job as pages show it, `detailed_status` (pipelines API at 14.0). Pure. */
import Type from 'typebox'
import { described, flag, text } from '../platform/kernel/declaration/types.ts'
import type { JobStatus } from './states.ts'

export const DetailedStatus = Type.Object({
  icon: text('Name of the icon'),
  text: text('Text of the state'),
  label: text('Text of the state'),
  group: text('Group of similar states'),
  tooltip: text('Text of the tooltip'),
  has_details: flag('Whether there is a page with details'),
  details_path: text('Path of the page with the details'),
  illustration: described('Always null', Type.Null()),
  favicon: text('Path of the small icon'),
})

interface Words {
  readonly icon: string
  readonly text: string
  readonly label: string
  readonly group: string
}

/** Text, label and group are the status itself unless this table says otherwise. */
const otherWords: { readonly [S in JobStatus]?: Partial<Words> } = {
  success: { text: 'passed', label: 'passed' },
  waiting_for_resource: { icon: 'pending', text: 'waiting', label: 'waiting for resource', group: 'waiting-for-resource' },
  manual: { text: 'blocked', label: 'waiting for manual action' },
  scheduled: { text: 'delayed', label: 'waiting for delayed job' },
}

const withWarnings: Partial<Words> = { icon: 'warning', label: 'passed with warnings', group: 'success-with-warnings' }

/**
 * The display form of a pipeline status.
 * @param hasWarnings a job has failed that may fail
 * @param path of its page, with a leading slash
 */
export function detailedStatusOf(status: JobStatus, { hasWarnings, path }: { readonly hasWarnings: boolean; readonly path: string }) {
  const other = { ...otherWords[status], ...(status === 'success' && hasWarnings && withWarnings) }
  const { icon = status, text = status, label = status, group = status } = other
  return {
    icon: `status_${icon}`,
    text,
    label,
    group,
    tooltip: label,
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  }
}
