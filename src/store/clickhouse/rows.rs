//! Encodes and decodes rows in the format `RowBinary`: values without names or separators.

use super::ClickHouseError;

/// Maximum number of bytes of an encoded length (LEB128 of 64 bits).
const LONGEST_COUNT: u32 = 10;

/// Buffer of encoded rows to insert.
#[derive(Clone, Debug, Default)]
pub struct RowBuffer {
    bytes: Vec<u8>,
}

impl RowBuffer {
    /// Returns the encoded bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes and empties the buffer.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Empties the buffer.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Appends bytes that are already encoded.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends a `UInt8`.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    /// Appends a `UInt32`.
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a `UInt64`.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a `Float64`.
    pub fn f64(&mut self, value: f64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a `String`.
    pub fn text(&mut self, value: &str) -> &mut Self {
        self.count(value.len()).raw(value.as_bytes())
    }

    /// Appends a `Nullable(String)`.
    pub fn option(&mut self, value: Option<&str>) -> &mut Self {
        match value {
            None => self.u8(1),
            Some(value) => self.u8(0).text(value),
        }
    }

    /// Appends the length of an `Array` or of a `String`. The caller must then append its values or
    /// bytes.
    pub fn count(&mut self, count: usize) -> &mut Self {
        let mut left = count;
        loop {
            let [low, ..] = left.to_le_bytes();
            if left < 0x80 {
                return self.u8(low);
            }
            self.u8(low | 0x80);
            left >>= 7;
        }
    }
}

/// Reads the rows of an answer, one value at a time.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    rest: &'a [u8],
}

impl<'a> Rows<'a> {
    /// Starts at the first row of an answer.
    pub const fn new(answer: &'a [u8]) -> Self {
        Self { rest: answer }
    }

    /// Reads rows until the end; `read` reads the values of one row.
    ///
    /// # Errors
    /// The answer ends in the middle of a row, or `read` fails.
    pub fn each<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, ClickHouseError>,
    ) -> Result<Vec<T>, ClickHouseError> {
        let mut found = Vec::new();
        while !self.rest.is_empty() {
            found.push(read(self)?);
        }
        Ok(found)
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], ClickHouseError> {
        let (bytes, rest) = (self.rest.split_at_checked(count)).ok_or(ClickHouseError::Torn)?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ClickHouseError> {
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| ClickHouseError::Torn)
    }

    /// Reads a `UInt8`.
    ///
    /// # Errors
    /// The answer is too short.
    pub fn u8(&mut self) -> Result<u8, ClickHouseError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// Reads a `UInt32`.
    ///
    /// # Errors
    /// The answer is too short.
    pub fn u32(&mut self) -> Result<u32, ClickHouseError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a `UInt64`.
    ///
    /// # Errors
    /// The answer is too short.
    pub fn u64(&mut self) -> Result<u64, ClickHouseError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a `Float64`.
    ///
    /// # Errors
    /// The answer is too short.
    pub fn f64(&mut self) -> Result<f64, ClickHouseError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// Reads a `String`; invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// The answer is too short.
    pub fn text(&mut self) -> Result<String, ClickHouseError> {
        let count = self.count()?;
        let bytes = self.bytes(count)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reads a `Nullable(String)`.
    ///
    /// # Errors
    /// The answer is too short, or the flag for null is invalid.
    pub fn option(&mut self) -> Result<Option<String>, ClickHouseError> {
        match self.u8()? {
            0 => self.text().map(Some),
            1 => Ok(None),
            _ => Err(ClickHouseError::Torn),
        }
    }

    /// Reads the length of an `Array` or of a `String`. Its values or bytes follow in the answer.
    ///
    /// # Errors
    /// The answer is too short, or the length does not fit into `usize`.
    pub fn count(&mut self) -> Result<usize, ClickHouseError> {
        let mut count: u64 = 0;
        for place in 0..LONGEST_COUNT {
            let byte = self.u8()?;
            count |= u64::from(byte & 0x7f)
                .checked_shl(7 * place)
                .unwrap_or_default();
            if byte < 0x80 {
                return usize::try_from(count).map_err(|_| ClickHouseError::Torn);
            }
        }
        Err(ClickHouseError::Torn)
    }

    /// Reads an `Array`; `read` reads one value.
    ///
    /// # Errors
    /// The answer is too short, or `read` fails.
    pub fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, ClickHouseError>,
    ) -> Result<Vec<T>, ClickHouseError> {
        let count = self.count()?;
        // Do not allocate for `count` values: it may be wrong, and then reading fails at the end.
        (0..count).map(|_| read(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> RowBuffer {
        let mut line = RowBuffer::default();
        line.u8(7).u32(70_000).u64(1 << 40).f64(-0.5);
        line.text(&"é".repeat(100)).option(None).option(Some(""));
        line.count(2).text("a").text("b");
        line
    }

    fn read(rows: &mut Rows<'_>) -> Result<(u64, String, Vec<String>), ClickHouseError> {
        assert_eq!((rows.u8()?, rows.u32()?), (7, 70_000));
        let number = rows.u64()?;
        assert_eq!(rows.f64()?, -0.5);
        let text = rows.text()?;
        assert_eq!(
            (rows.option()?, rows.option()?),
            (None, Some(String::new()))
        );
        Ok((number, text, rows.list(Rows::text)?))
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut line = line();
        let again = line.bytes().to_vec();
        line.raw(&again);
        let found = Rows::new(line.bytes()).each(read).unwrap();
        let expected = (
            1 << 40,
            "é".repeat(100),
            vec!["a".to_owned(), "b".to_owned()],
        );
        assert_eq!(found, [expected.clone(), expected]);
    }

    #[test]
    fn an_answer_that_ends_within_a_row_is_refused_wherever_it_ends() {
        let line = line();
        for end in 1..line.bytes().len() {
            let torn = Rows::new(&line.bytes()[..end]).each(read);
            assert_eq!(torn.unwrap_err(), ClickHouseError::Torn, "{end}");
        }
        let endless = [0xff; 20];
        assert!(Rows::new(&endless).text().is_err());
    }
}
