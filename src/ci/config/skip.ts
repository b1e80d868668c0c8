/** Does a commit's message skip CI: `[skip ci]`, `[ci skip]`, in any case? */
export const skipsCi = (message: string): boolean => /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i.test(message)
