/** Names of files of bare pictures; people call those of program streams the same. */
export const EXTENSIONS: readonly string[] = ['mpg', 'mpeg', 'm2v', 'm1v', 'mpv']
