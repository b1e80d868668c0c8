/** `2021-06-01_12-00-00-123_group_project_export.tar.gz` */
export function exportFilename({ full_path }: { readonly full_path: string }, now: Date): string {
  const time = now.toISOString().slice(0, 23).replace('T', '_').replaceAll(/[:.]/g, '-')
  return `${time}_${full_path.replaceAll('/', '_').slice(0, 200)}_export.tar.gz`
}
