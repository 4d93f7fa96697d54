/** Coded AV1 pictures, each with its sequence header, as sharp writes them. */

const coded = (...lines: readonly string[]): Uint8Array =>
  Uint8Array.from(Buffer.from(lines.join(''), 'base64'))

/** Noise beside a plain part, 120 by 90 pixels, with chroma for every fourth pixel. */
export const NOISE = coded(
  'EgAKCRgZu9lsgIaDQjK4BRJR4eGIYOGAAaBQAICXxy/GJkLbCgON4AvQ7if+Dm4mc65uQ31/1+kgVxoCkxwHslFJLThleIwTBNOM04s+jh1QdZY0',
  'GXKzxW13VkSX8OME+1uvOO/XoqZ+mfmsLTz/pNtlY/r+DG5M1yQNQetdZ89nsu1B8V/fqbVDhghNEH7W3ANxzqSlR4S4+5mTP1vp2N+tO5gYj7HP',
  'JFoVl258z/EFOWms5XAKN5RNZ2FTzvR9QeSbDv2al1/WrWjhEVqKG3xVoNue/kD2oH/nrbROW+ZtF/8ZDet9Vf7mjpXith+c4ZNu5+ffPo8T+JGQ',
  'BBZbFG0VwoeC4OhOwOemE+KFKMTk66P9osxXHOrpJsCnuW0Wuj98tFFZpunPEFSz6wP7jQ9n27ojzEdR5ml7Khs4muTsaNiI3SW7gXgWzTgtq94U',
  '0eBJ5+noen5UtJ0yAIhBImunCAFVAzmK1yZYup406GZmN3hVEAn2Gcf1tzR6h9lz383XddydOKga5mn5mwmzQAU44R7xqZwfH3L6ewcGCRUFo6uF',
  'qBfW3uarMniOZ12uzkNepleJAl13UxqKkG6OL0qkmavE4VzSh82a81ZHreWk0yQJfW2Vc7x/GZchIc+mwMcst1I9oNDf2VrZrH3q8V6XxaeaYz6R',
  'UWIOIVYwxdOKmPDQRKRYaAUJz5myN/enPja8HASRTgWX7EvCcJLIL1z5v7LAboZJ6KbvXnGLPNaifoLDGn3laR1CaqZFrtuFHzm8lUF+KafjqGLA',
  'Smio+gbo2wLxo08Av/KvwSXGEt8ytcu11cWafGRJZB+PbQ8ut7uKUOz6CXKoQ07tlqjsolkB5YTtB0wOFpKzfdQF/DjlmCOTb55pm9c7gxcokDYV',
  'uU2UFFMhK1Vii09yb03TcP2yU1wqX0D1gsYB8wYF1QPtW3uPhku4cA==',
)

/** 16 by 16 pixels without loss. */
export const LOSSLESS = coded(
  'EgAKCDgM/9hAQ0AIMvoCEAAA0MWLvoUJWV6K+dz7LybQ2I5q3oZOb0kv/rLLFJNRLmzJ5fwtD3aA4kUhTPrK1L7wjIO1U9p1Sfa688Lkh7UOhs56',
  'H3LRi7NHvORr4v2bpeXvtrML7JzGm/eZFleRbF0mwY4ZulrgX9B4gbQQXCwvdx6z6cE3kNF6ufC5kDN0gSIGdFIR45HPIPGxXTiaQBrR+k0FRpCy',
  '+7kowMkbxQpnzXTuvecAPfzA2MLqbOCGPD3Sgw4pnX0cWc6eLbDk7VWzRQ8RA5ZPpY/U0Wr9hQei6VniWwwXLEYLXdNWaObLkYToFLCHSZxEaX7K',
  'deLSxbaKlgyX7E1cz2zUXxblDKOvenh4jt5kRazVSsBz6cZdXa3d1lIe1KnJDIr6YRttLgs6Dfnoc8muMqnBDgp9ZzoS7Re/MzV+czODwRYQsGO1',
  'WCbFtF/bl/Xar1ROou3vnpXJEVpqN4WL1+xr3tm7IKe8P97GTjrfIqOi8z2YdZTnYudqnPYXRXJ0',
)

/** Shapes of one colour on another, 96 by 64 pixels: with palettes. */
export const FROM_SCREEN = coded(
  'EgAKCTgZb/7SAhoNIDKhCER4TGTAAPCAAABA3HdvN/GNnTirG0Ub/HvhYR+F1b91wPEWz+1+8XGC0xyhKyEmZIicZ64yBXhl0yaQNxMMMfRK56iJ',
  'Px5O8ENedRrcS+ryj4MJ5I6ckoulbdt85mB4UsWZnAsE/I9YD5hWb/qtLIPg7POmjqdfz9V5bFkRrqX4gdIxst0X133AV6cp269avT64YTyyPYoF',
  'mgno2S+A+BABZlFMmZJSlDDwNR/YPy34fIcN3a6XtrM3aAPkM4Mv2cSVz/Mbowehn6SX7ZlCYpbeDmvvy+VnXlnRQ0eI4OAG4+C2ASRCC8OddVy7',
  'Vsl+5s6m3t+v2pIdhkaGwimHeCrT3vAqkFjKszOxrVFluvV9G3NofzNTK5sdwP0D2vvEVpViUDeH1DZ14PSTli317eKNk0dFFcw1pEnVAaAnJ+9w',
  'gPBCpQ6uJfWMDwildhRX7nG/Q9vTXldKkBZBUDqkxn/a99kskypkKfklOCsG7uSOHPkZjD7aA7TeNEmNyCF2M5IqalMJo4Sb8DBQ61goBnaWAJUz',
  'Yfca8b0x02uL0k64YYjZsTGMRbRJr2EeUvmpQJvNYQOYA/A2ovM9MwGDVidNlG0hd7396TOqvJilhnWNdSGUFhY0z+rQXcoRPEmlu8MFIIMrxyjU',
  'IzGlcNWIdb4/moZPEKsJEZfBSKErp7O9L4+t9b+cMZZM/rbDeA85HyQy8HMVIs0Jc3VRUpfxdnF9on2qgRx8DJ9zLu4q5jjq3lWZVkhxkdmh/K2d',
  'TgbF7hwCiU8lw9O9bv0fQKwc6wO3cjz9gWRa3CtOx3sJ6oXNHU5Oa693UsbpPAD8/pQIgfXxiLpLxxDuQtk/jKSMhpmstPs46M1n2aoZm7vUGEF0',
  'RPT/EEcOnX/a+NNVqxrs4fwaF0WT4rbfM2gSuhEg3YgBuHChAWPHa5pybs5viXQe2+Fjb8QCRs7IloGINmF9dm2Dl0hCVJpwFCZmR84brvMVPcSP',
  'JSJJhqP09ljTcB3Wb5rlgmbizv3G1w06h5UChMa1FfJ9BxY7+72Ym5xbr061Mu3U8itjvje6pDf9NE5wJjWZICt71HJ2GKfbsmea9fAyU15vjJoL',
  'MznrSwXwRl39BTQMbot6xknhNPuNM/P4uSjTA0BK7EOu57HobCUedSFW6mOezMFWLX2qJEDpn5/FyUaYGgJXYh13PY9DYSjzqQq34JRjQ/b0UzCO',
  'Bk6V0nDu6ll1A4v9H0a5jzSsQ6fna2OI1QRSSPuDkwbII79Bs5jhlLREg5BV5aJHS1qTOcH8dZDFoQwg4+5mh2r5IY41MPcvUiIcS2iyRGBqd1jm',
  'xYggIOxq22+FEgoiyE0YVxhynbxlWstt29Bqer0+IqA1SuWjcpS4DkfXqbE1xXVH4NvC2WCmv6X7yjTgBIgeAWg=',
)
