/** The words for what is not there, and for what the caller may not see or do. */
export const UNAVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action"
