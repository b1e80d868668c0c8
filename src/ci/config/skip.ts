/** Does a commit's message ask for no pipeline: `[skip ci]`, `[ci skip]`, in any case of letters? */
export const skipsCi = (message: string): boolean => /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i.test(message)
