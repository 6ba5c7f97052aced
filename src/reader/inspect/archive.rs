//! Reads the members of an `.eval` archive, and decompresses them in bounded memory.
//!
//! Current versions of Inspect compress with Zstandard, older versions with deflate. Member names
//! contain sample ids chosen by users; they are displayed but never used as file names.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use base::limits::Limit;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use zip::ZipArchive;
use zip::read::read_zipfile_from_stream_with_compressed_size;

use crate::open::{LogFile, open};

/// ZIP code of the Zstandard method.
const ZSTANDARD: u16 = 93;
/// Length of a local file header in bytes, without name and extra fields.
const LOCAL_HEADER: usize = 30;

/// Maximum total bytes of members that are downloaded together.
const TOGETHER: u64 = 32 << 20;

/// An open `.eval` archive.
pub struct Archive {
    file: BufReader<LogFile>,
    /// Members in the order in which they were written.
    pub members: Vec<Member>,
    /// Reason why the list of members is reconstructed or incomplete; `None` for an intact archive.
    pub damage: Option<String>,
}

/// A file inside an archive.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name, including folders.
    pub name: String,
    /// Size of the compressed data in bytes.
    pub packed: u64,
    start: u64,
    /// CRC-32 of the decompressed data, if known.
    checksum: Option<u32>,
}

impl Member {
    /// Returns an upper bound of the member's bytes, including its header. The extra fields of the
    /// header can be longer than those in the directory.
    fn length(&self) -> u64 {
        const EXTRA: u64 = 128;
        let header = (LOCAL_HEADER + self.name.len()) as u64 + EXTRA;
        header.saturating_add(self.packed)
    }
}

/// Local header, which precedes a member's data.
struct LocalHeader {
    method: u16,
    packed: u64,
    /// Length of the header in bytes, including name and extra fields.
    length: u64,
    name: String,
}

impl Archive {
    /// Opens an archive. If the run was killed, the archive has no directory; members are then
    /// searched from the start.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(open(path)?);
        let (members, damage) = match directory(&mut file) {
            Ok(members) if members.len() >= Limit::Members.length() => {
                let what = format!("{}: the rest is left out", Limit::Members.message());
                (members, Some(what))
            }
            Ok(members) => (members, None),
            Err(why) => {
                let what = format!("the archive is damaged ({why}): read up to the damage");
                (search(&mut file)?, Some(what))
            }
        };
        Ok(Self {
            file,
            members: latest(members),
            damage,
        })
    }

    /// Returns the member with the given name.
    pub fn find(&self, name: &str) -> Option<Member> {
        let found = self.members.iter().find(|member| member.name == name);
        found.cloned()
    }

    /// Announces the next wanted members from index `first` on, so that they are downloaded
    /// together. Stops at [`TOGETHER`] bytes, and returns the index of the next member.
    pub fn soon(&self, first: usize, is_wanted: impl Fn(&Member) -> bool) -> usize {
        let (mut places, mut bytes, mut next) = (Vec::new(), 0_u64, first);
        for member in self.members.get(first..).unwrap_or_default() {
            if bytes > TOGETHER {
                break;
            }
            next += 1;
            if is_wanted(member) {
                let end = member.start.saturating_add(member.length());
                places.push(member.start..end);
                bytes = bytes.saturating_add(member.packed);
            }
        }
        // Errors are reported when the members are read.
        drop(self.file.get_ref().soon(&places));
        next
    }

    /// Reads a member's data.
    ///
    /// # Errors
    /// If the data is damaged or too large, or the compression method is unknown.
    pub fn read(&mut self, member: &Member) -> Result<Vec<u8>, String> {
        let unpacked = self.unpack(member).map_err(|error| error.to_string())?;
        if unpacked.len() as u64 > Limit::Member.get() {
            return Err(Limit::Member.message());
        }
        Ok(unpacked)
    }

    /// Decompresses a member. Stops one byte after [`Limit::Member`].
    fn unpack(&mut self, member: &Member) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(member.start))?;
        let header = local_header(&mut self.file)?;
        let mut bytes = Vec::new();
        if header.method == ZSTANDARD {
            unpack_frames(self.file.by_ref().take(member.packed), &mut bytes)?;
            let is_whole = bytes.len() as u64 <= Limit::Member.get();
            let holds = |known| !is_whole || crc32fast::hash(&bytes) == known;
            if !member.checksum.is_none_or(holds) {
                return Err(io::Error::other("damaged: its checksum does not match"));
            }
            return Ok(bytes);
        }
        self.file.seek(SeekFrom::Start(member.start))?;
        let opened = read_zipfile_from_stream_with_compressed_size(&mut self.file, member.packed);
        match opened.map_err(io::Error::other)? {
            Some(packed) => packed
                .take(Limit::Member.get() + 1)
                .read_to_end(&mut bytes)?,
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        };
        Ok(bytes)
    }
}

/// Returns the members in the archive's directory, in the order in which they were written.
fn directory(file: &mut BufReader<LogFile>) -> zip::result::ZipResult<Vec<Member>> {
    let archive = ZipArchive::new(file)?;
    let count = archive.len().min(Limit::Members.length());
    let mut members = Vec::with_capacity(count);
    for number in 0..count {
        let entry = archive.by_index_data(number)?;
        members.push(Member {
            name: entry.name()?.into_owned(),
            packed: entry.compressed_size(),
            start: entry.header_start(),
            checksum: Some(entry.crc32()),
        });
    }
    members.sort_by_key(|member| member.start);
    Ok(members)
}

/// Finds members by reading their headers from the start of the archive.
fn search(file: &mut BufReader<LogFile>) -> io::Result<Vec<Member>> {
    let end = file.get_ref().length()?;
    let (mut members, mut start) = (Vec::new(), 0);
    loop {
        file.seek(SeekFrom::Start(start))?;
        let Ok(header) = local_header(file) else {
            return Ok(members);
        };
        let next = start
            .saturating_add(header.length)
            .saturating_add(header.packed);
        if next > end || members.len() >= Limit::Members.length() {
            return Ok(members);
        }
        members.push(Member {
            name: header.name,
            packed: header.packed,
            start,
            // The checksum can follow the data, and is then unknown here.
            checksum: None,
        });
        start = next;
    }
}

/// Removes all but the last of several members with the same name.
fn latest(members: Vec<Member>) -> Vec<Member> {
    let last: HashMap<String, u64> = members
        .iter()
        .map(|member| (member.name.clone(), member.start))
        .collect();
    let counts = |member: &Member| last.get(&member.name) == Some(&member.start);
    members.into_iter().filter(counts).collect()
}

/// Reads a local file header (APPNOTE.TXT, section 4.3.7).
fn local_header(file: &mut impl Read) -> io::Result<LocalHeader> {
    let mut fixed = [0; LOCAL_HEADER];
    file.read_exact(&mut fixed)?;
    if !fixed.starts_with(b"PK\x03\x04") {
        return Err(io::Error::other("no member of an archive"));
    }
    let short = |at: usize| {
        let bytes = fixed
            .get(at..at + 2)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u16::from_le_bytes)
    };
    let mut name = vec![0; usize::from(short(26))];
    file.read_exact(&mut name)?;
    let mut extra = vec![0; usize::from(short(28))];
    file.read_exact(&mut extra)?;
    let packed = u32::from(short(18)) | u32::from(short(20)) << 16;
    Ok(LocalHeader {
        method: short(8),
        packed: large_size(packed, &extra),
        length: (LOCAL_HEADER + name.len() + extra.len()) as u64,
        name: String::from_utf8_lossy(&name).into_owned(),
    })
}

/// Returns the compressed size. Large archives store it in an extra field (section 4.5.3).
fn large_size(packed: u32, extra: &[u8]) -> u64 {
    let large = extra.strip_prefix(&[1, 0]);
    let size = large.and_then(|field| field.get(10..18)?.try_into().ok());
    match size {
        Some(size) if packed == u32::MAX => u64::from_le_bytes(size),
        _ => u64::from(packed),
    }
}

/// Decompresses consecutive Zstandard frames.
fn unpack_frames(mut packed: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let room = (Limit::Member.get() + 1).saturating_sub(bytes.len() as u64);
        match StreamingDecoder::new(&mut packed) {
            Ok(frame) => frame.take(room).read_to_end(bytes)?,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let skipped = packed.by_ref().take(u64::from(length));
                io::copy(&mut { skipped }, &mut io::sink())?;
                continue;
            }
            // There are no more frames.
            Err(_) if !bytes.is_empty() => return Ok(()),
            Err(error) => return Err(io::Error::other(error)),
        };
        if bytes.len() as u64 > Limit::Member.get() {
            return Ok(());
        }
    }
}
