/** The photo app's own address. */
export const PHOTO_APP_PATH = '/photo/app'
